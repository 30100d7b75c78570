// Package shipments says where a board goes: addresses, ways of delivery, parcels.
package shipments
