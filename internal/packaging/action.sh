#!/usr/bin/env bash
# action.sh: the work of the GitHub action (action.yml). Builds the program, unless TACHECK says where it is, and gives
# each model that FILES names to `tacheck $COMMAND $OPTIONS`. Ends with the highest exit code; no model is an error.
set -euo pipefail
shopt -s globstar nullglob
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ -z "${TACHECK:-}" ]; then
	if ! [ -e /usr/include/z3.h ]; then
		sudo apt-get update -q
		sudo apt-get install -yq --no-install-recommends libz3-dev z3
	fi
	TACHECK=$(mktemp -d)/tacheck
	go build -C "$root" -o "$TACHECK" ./cmd/tacheck
fi
files=($FILES)       # patterns are expanded here
options=($OPTIONS)
[ ${#files[@]} -gt 0 ] || { echo "::error::no model matches: $FILES"; exit 2; }
case $COMMAND in
verify) options+=(--format github) ;;
fmt) options+=(--check) ;;
explore | induct | lint) ;;
*) echo "::error::tacheck $COMMAND is none of the commands verify, explore, induct, lint, fmt"; exit 2 ;;
esac
worst=0
for file in "${files[@]}"; do
	echo "::group::tacheck $COMMAND $file"
	code=0
	"$TACHECK" "$COMMAND" "$file" ${options[@]+"${options[@]}"} || code=$?
	echo "::endgroup::"
	[ $code = 0 ] || [ $COMMAND = verify ] || echo "::error file=$file::tacheck $COMMAND ends with $code: $file"
	[ $code -le $worst ] || worst=$code
done
exit $worst
