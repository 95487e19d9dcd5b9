// Package packaging holds what makes packages: deb.sh and a Dockerfile. There is
// nothing in it but its tests. See docs/packaging.md.
package packaging
