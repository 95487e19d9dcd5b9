(() => {
  const e = document.activeElement;
  // The frame is around the element itself, or around what it is the inside of, as in editors.
  let seen = false;
  for (let at = e, up = 0; at && at !== document.body && up < 4; at = at.parentElement, up++) {
    const s = getComputedStyle(at);
    if (s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 1) seen = true;
  }
  const box = e.getBoundingClientRect();
  const inside = box.width > 0 && box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
  const name = e.getAttribute("aria-label") || (e.labels && e.labels[0] ? e.labels[0].textContent : e.textContent) || "";
  return { Tag: e.tagName, Role: e.getAttribute("role") || "", Name: name.trim().slice(0, 80), Seen: seen && inside };
})()
