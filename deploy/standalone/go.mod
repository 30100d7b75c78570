module boardorder/deploy/standalone

go 1.26.0

require (
	boardorder/deploy/simulator v0.0.0
	boardorder/pkg v0.0.0
	boardorder/services/console v0.0.0
	boardorder/services/design-check v0.0.0
	boardorder/services/edge v0.0.0
	boardorder/services/notify v0.0.0
	boardorder/services/payment v0.0.0
	boardorder/services/pricing v0.0.0
	boardorder/services/projector v0.0.0
	boardorder/services/upload v0.0.0
)

replace (
	boardorder/deploy/simulator => ../simulator
	boardorder/pkg => ../../pkg
	boardorder/services/console => ../../services/console
	boardorder/services/design-check => ../../services/design-check
	boardorder/services/edge => ../../services/edge
	boardorder/services/notify => ../../services/notify
	boardorder/services/payment => ../../services/payment
	boardorder/services/pricing => ../../services/pricing
	boardorder/services/projector => ../../services/projector
	boardorder/services/upload => ../../services/upload
)
