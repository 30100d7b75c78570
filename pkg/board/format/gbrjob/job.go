package gbrjob

import (
	"boardorder/pkg/board/pcb"
)

// A Job is what a job file states. Zero values are not stated.
type Job struct {
	Dialect        string // "gerber job", "autodesk", "gerber syntax"
	Vendor         string
	Application    string
	Version        string
	Created        string
	Name           string // of the project
	Revision       string
	Layers         int
	Width, Height  int64 // nanometres
	SizeWithStroke bool  // the size includes the width of the outline's line
	Thickness      int64 // of the finished board, nanometres
	Finish         string
	Castellated    bool
	EdgePlating    bool
	EdgeConnector  string
	Bevelled       bool // the edge connector
	Impedance      bool
	Flex           bool
	RigidFlex      bool
	ViaProtection  string // type of IPC-4761, Ia to VII
	BlindVias      bool   // blind or buried vias, by the type of IPC-2221
	Panel          bool
	ROHS           bool
	Rules          []Rule
	Files          []File
	Stackup        []Layer
	Findings       []pcb.Finding // without file name
}

// A Rule is a set of least distances on outer or inner layers, in nanometres.
type Rule struct {
	Layers         string
	PadToPad       int64
	PadToTrack     int64
	TrackToTrack   int64
	MinLineWidth   int64
	TrackToRegion  int64
	RegionToRegion int64
}

// A File is one file that belongs to the job.
type File struct {
	Path     string
	Function string // as of the .FileFunction attribute
	Polarity string
}

// A Layer is one layer of the material stackup, top first.
type Layer struct {
	Type        string // Silkscreen, SolderPaste, SolderMask, Copper, Dielectric
	Name        string
	Material    string
	Colour      string
	Notes       string
	Thickness   int64 // nanometres
	Dielectric  float64
	LossTangent float64
}
