(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = text => {
    if (!known.has(text)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const d = canvas.getImageData(0, 0, 1, 1).data;
      known.set(text, [d[0], d[1], d[2], d[3] / 255]);
    }
    return known.get(text);
  };
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3]));
  const luminance = c => [0.2126, 0.7152, 0.0722].reduce((sum, w, i) => {
    const v = c[i] / 255;
    return sum + w * (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  }, 0);
  const path = e => { const list = []; for (; e; e = e.parentElement) list.unshift(e); return list; };
  // behind is what one sees behind an element: the sheet of a chart, or backgrounds one over the other.
  const behind = e => {
    let colour = rgba(getComputedStyle(document.documentElement).colorScheme.includes("dark") && matchMedia("(prefers-color-scheme: dark)").matches ? "#121212" : "#fff");
    for (const at of path(e)) {
      if (!(at instanceof SVGElement)) colour = over(rgba(getComputedStyle(at).backgroundColor), colour);
      const sheet = at.matches("svg.chart") && at.querySelector(".sheet");
      if (sheet) colour = over(rgba(getComputedStyle(sheet).fill), colour);
    }
    return colour;
  };
  // What is dim on purpose: what cannot be pressed, what happens later, and where nobody is in a picture that stands in full above.
  const dim = ":disabled, .unseen, g.later, .stage .location.empty, .stage .edge:not(.now)";
  const faint = [];
  for (const e of document.querySelectorAll("body *")) {
    const own = [...e.childNodes].filter(n => n.nodeType === 3).map(n => n.textContent).join("").trim();
    if (!own || !e.checkVisibility() || ["SCRIPT", "STYLE", "style", "title", "OPTION"].includes(e.tagName) || e.closest(dim)) continue;
    const s = getComputedStyle(e), ground = behind(e);
    let colour = [...rgba(e instanceof SVGElement ? s.fill : s.color)];
    for (const at of path(e)) colour[3] *= Number(getComputedStyle(at).opacity);
    const [x, y] = [luminance(over(colour, ground)), luminance(ground)];
    const ratio = (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
    if (ratio < 4.5) faint.push(`${e.tagName} ${own.slice(0, 40)}: ${ratio.toFixed(2)}`);
  }
  return faint;
})()
