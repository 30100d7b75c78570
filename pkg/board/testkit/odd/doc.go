// Package odd draws boards that are unusual and can be built: its tests hold that each
// is read as what it is, and that nothing on it must be fixed.
package odd
