// Package hash has hashes of numbers that are the same in every run.
package hash

// Mix spreads the bits of a number (the finalizer of SplitMix64).
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Row is a hash of numbers in a row.
func Row(seed uint64, list []int32) uint64 {
	h := Mix(seed + 0x9e3779b97f4a7c15)
	for _, v := range list {
		h = Mix(h*0x9e3779b97f4a7c15 + uint64(uint32(v)))
	}
	return h
}
