// Package clip unites, intersects and subtracts polygons on the integer grid of
// nanometres.
//
// # How
//
//	rings ──► noder   splits edges until they meet at ends only, on grid points
//	      ──► sweep   tells for every edge what lies on either side
//	      ──► linker  joins the edges between inside and outside to rings,
//	                  and gives every hole its outer ring
//
// Splitting moves an edge by less than a nanometre where it meets others; ends
// stay where they are, so rings stay closed and nothing is ever lost. All
// decisions are exact: no tolerance is involved. Curves are flattened before, to
// within [Tolerance]. The work is O(n log n) for n edges and crossings.
package clip
