package pricing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/stackups"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/dated"
	"boardorder/pkg/destination"
	"boardorder/pkg/flow"
	"boardorder/pkg/retention"
	"boardorder/services/pricing/internal/approval"
	"boardorder/services/pricing/internal/offer"
	"boardorder/services/pricing/internal/options"
)

// quote prices an upload. The quote's id is derived from the request, so a
// repeated command finds its own quote.
func (s *Service) quote(ctx context.Context, c contract.Command) error {
	var data quotes.PriceData
	if err := json.Unmarshal(c.Data, &data); err != nil {
		return flow.Permanent(fmt.Errorf("decode %s: %w", c.Name, err))
	}
	// By any of the master keys: the one that the edge named the quote with may
	// have been replaced since.
	ref := data.Quote
	if !slices.Contains(s.secrets.QuoteRefs(c.Request), ref) {
		return flow.Permanent(fmt.Errorf("%s names quote %q; it is none of request %q", c.Name, ref, c.Request))
	}
	q, bare, err := s.prepare(ctx, c, data, ref)
	if err != nil {
		return err
	}
	err = s.need(ctx, c, q.Digest, q.ExpiresAt)
	if data.Digest != "" && errors.Is(err, retention.ErrGone) {
		return refuseExpired()
	}
	if err != nil {
		return err
	}
	if err := s.createBare(ctx, c, bare); err != nil {
		return err
	}
	event := quotes.EventPriced
	if q.Mode == quotes.ModeReview {
		event = quotes.EventReviewNeeded
	}
	return aggregate.At[*quotes.Quote](s.events, contract.QuoteAggregate, ref).Create(ctx, c, s.now(), aggregate.Change[*quotes.Quote]{Event: event, State: q})
}

// need records that the board's files are needed as long as the quote can be
// paid. Most quotes find that on record.
func (s *Service) need(ctx context.Context, c contract.Command, digest string, until time.Time) error {
	if files, ok := s.read.get(digest, s.now()); ok && !files.NeededUntil.Before(until) {
		return nil
	}
	files, err := retention.Need(ctx, s.events, digest, c, "quote", until, s.now())
	if errors.Is(err, retention.ErrGone) {
		s.read.forget(digest)
		return flow.Snooze(readingPoll, err) // it is asked for anew
	}
	if err == nil {
		s.read.put(digest, files, s.now())
	}
	return err
}

// prepare does all that comes before the commit. It gives the quote of the boards
// alone too, where only their assembly has no price.
func (s *Service) prepare(ctx context.Context, c contract.Command, data quotes.PriceData, ref string) (q, bare *quotes.Quote, err error) {
	u, files, err := s.files(ctx, c, data)
	if err != nil {
		return nil, nil, err
	}
	approved, err := s.useApproval(ctx, c, &data)
	if err != nil {
		return nil, nil, err
	}
	q = &quotes.Quote{
		Ref: ref, Account: c.Account, RequestID: c.Request, Key: data.Key, From: data.From, BuyLink: data.BuyLink, Upload: u.Ref, Digest: u.Digest, Request: data.Request, Version: 1, CreatedAt: s.now(),
	}
	word := quotes.TestScenarioOf(c.Account, data.Request)
	if word == quotes.TestSlow {
		err = s.slow(ctx, c, data.Request)
	} else {
		err = answerScenario(word, data.Request)
	}
	if err != nil {
		return nil, nil, err
	}
	in := inquiry{command: c, upload: u, data: data}
	if in.rule, err = s.ruleOf(ctx, c.Account); err != nil {
		return nil, nil, err
	}
	err = s.reportProgress(ctx, c, stagePricing(data.Request), func() error { return s.offer(ctx, q, files, &in) })
	if err != nil {
		return nil, nil, err
	}
	approval.Carry(q, approved)
	if word == quotes.TestExpired {
		q.ExpiresAt = q.CreatedAt.Add(soon)
	}
	return q, in.bare, nil
}

// An inquiry is a request for a quote with what came of it beside the quote.
type inquiry struct {
	command  contract.Command
	upload   uploads.Brief
	data     quotes.PriceData
	stackups []stackups.Stackup // of which it names one
	names    []string           // of the upload's files
	found    []contract.Finding // about the upload as a whole
	bare     *quotes.Quote      // of the boards alone, where only the assembly has no price
	rule     accounts.FabricatorRule
	round    round // of what fabricators said last
}

func refuseExpired() *contract.Refusal {
	return contract.Refuse(contract.UploadExpired, "The files of the earlier order are no longer kept. Upload them again and send the new upload_id.")
}

// offer fills a quote.
func (s *Service) offer(ctx context.Context, q *quotes.Quote, files boards.ReadFiles, in *inquiry) (err error) {
	for _, f := range files.Files {
		in.names = append(in.names, f.Name)
	}
	in.found = files.Findings
	if in.stackups, err = s.stackupsFor(ctx, in.data.Request); err != nil {
		return err
	}
	board, err := chooseBoard(files, in.data.Request)
	if refusal := contract.RefusalIn(err); refusal != nil {
		return addGuidance(s.refuseAll(refusal, files.Boards, q.Request, in), in.upload, q.Request, board, files)
	}
	seen, err := s.checkSoundness(files, &board, in.data.Request, in.stackups)
	if refusal := contract.RefusalIn(err); refusal != nil {
		return addGuidance(s.refuseAll(refusal, []boards.Board{board}, q.Request, in), in.upload, q.Request, board, files)
	}
	q.Board, q.Picture = board.Name, board.Top
	err = s.price(ctx, q, board, in)
	if err == nil && in.data.Chosen != nil && q.Mode == quotes.ModeInstant {
		err = s.chooseAgain(q, *in.data.Chosen)
	}
	if refusal := contract.RefusalIn(err); refusal != nil {
		err = addGuidance(refusal, in.upload, q.Request, board, files)
	}
	if err != nil {
		return err
	}
	q.Reply.BoardFindings = seen
	return nil
}

// refuseAll adds to a refusal what else is refused of the request, or asked: about the
// destination, and about each of the boards that it may mean.
func (s *Service) refuseAll(refusal *contract.Refusal, boards []boards.Board, r quotes.Request, in *inquiry) *contract.Refusal {
	_, fields := s.tables.Places.Resolve(r.ShipTo, s.cfg.DefaultCountry)
	var shared *contract.Refusal
	for i, b := range boards {
		out := s.resolver.Resolve(r, factsOf(b, in.names), in.stackups...).Refusal
		if i == 0 {
			shared = out
		} else {
			shared = common(shared, out)
		}
	}
	if len(boards) == 0 {
		shared = s.resolver.Resolve(r, options.FileFacts{}, in.stackups...).Refusal
	}
	all := *refusal
	if shared != nil {
		if statesUnbuilt(shared) { // which is no fault of the request
			all.Fields = append(slices.Clone(refusal.Fields), shared.Fields...)
			all.Findings = append(slices.Clone(refusal.Findings), shared.Findings...)
			all.Message += " " + shared.Message
		} else {
			fields = append(slices.Clone(shared.Fields), fields...)
		}
		all.Questions = append(slices.Clone(refusal.Questions), shared.Questions...)
		if all.Known == nil {
			all.Known = shared.Known
		}
	}
	return joinRefusals(&all, fields)
}

// statesUnbuilt reports whether a refusal is for what the files state and nobody builds without
// asking.
func statesUnbuilt(r *contract.Refusal) bool {
	return slices.ContainsFunc(r.Findings, func(f contract.Finding) bool { return f.Check == options.UnbuiltCheck })
}

// common is what two refusals both refuse, or ask.
func common(a, b *contract.Refusal) *contract.Refusal {
	if a == nil || b == nil {
		return nil
	}
	out := contract.Refusal{}
	if a.Code == b.Code {
		out.Code, out.Message = a.Code, a.Message
	}
	for _, f := range a.Findings {
		if slices.ContainsFunc(b.Findings, func(g contract.Finding) bool { return g.What == f.What }) {
			out.Findings = append(out.Findings, f)
		}
	}
	for _, f := range a.Fields {
		if slices.ContainsFunc(b.Fields, func(g contract.FieldProblem) bool { return g.Field == f.Field && g.Problem == f.Problem }) {
			out.Fields = append(out.Fields, f)
		}
	}
	for _, q := range a.Questions {
		if slices.ContainsFunc(b.Questions, func(p contract.Question) bool { return p.Option == q.Option }) {
			out.Questions = append(out.Questions, q)
		}
	}
	return &out
}

func (s *Service) usableUpload(ctx context.Context, account, ref string) (uploads.Brief, error) {
	e, err := s.events.Last(ctx, contract.UploadAggregate, ref)
	if errors.Is(err, aggregate.ErrNone) {
		return uploads.Brief{}, contract.Refuse(contract.UploadNotFound, "There is no such upload.")
	}
	if err != nil {
		return uploads.Brief{}, fmt.Errorf("load upload %s: %w", ref, err)
	}
	u, err := uploads.ReadBrief(contract.StateOf(e.Data))
	switch {
	case err != nil:
		return u, fmt.Errorf("decode upload %s at %d: %w", ref, e.Seq, err)
	case u.IsDeclaredFor(account):
		return u, contract.Refuse(contract.ITARNotSupported, "This upload was declared ITAR-controlled and cannot be used.")
	case u.Status != uploads.Open || !s.now().Before(u.ExpiresAt):
		return u, contract.Refuse(contract.UploadExpired, "The files of this upload have been deleted. Please upload them again.")
	case u.Empty():
		return u, contract.Refuse(contract.NoFiles, "This upload holds no files yet.")
	}
	return u, nil
}

// chooseBoard takes the board that was named, or the only one.
func chooseBoard(files boards.ReadFiles, r quotes.Request) (boards.Board, error) {
	if len(files.Refused) > 0 {
		return boards.Board{}, boards.RefuseAnswers(files.Refused)
	}
	if len(files.Boards) == 0 {
		return boardless(files, r)
	}
	names := make([]any, len(files.Boards))
	for i, b := range files.Boards {
		names[i] = b.Name
	}
	if r.Board != nil {
		if b, ok := files.BoardNamed(*r.Board); ok {
			return b, nil
		}
		refusal := contract.Refuse(contract.InvalidRequest, "The upload holds no board of that name.")
		refusal.Fields = []contract.FieldProblem{{Field: "board", Problem: "unknown", Message: refusal.Message, Allowed: names}}
		return boards.Board{}, refusal
	}
	if len(files.Boards) > 1 {
		refusal := contract.Refuse(contract.NeedsDetails, "The upload holds several boards: say which one to quote.")
		refusal.Questions = []contract.Question{{Option: "board", Question: "Which board shall be quoted?", Choices: names}}
		return boards.Board{}, refusal
	}
	return files.Boards[0], nil
}

// boardless gives files in which no board was found to people who are to quote them.
func boardless(files boards.ReadFiles, r quotes.Request) (boards.Board, error) {
	if r.SpecialRequirements && legible(files) {
		return boards.Board{}, nil
	}
	return boards.Board{}, boards.RefuseBoardless(files.Findings)
}

// legible reports whether files hold anything that a person could read: a drawing or a
// few words are enough to ask the team with.
func legible(files boards.ReadFiles) bool {
	return slices.ContainsFunc(files.Files, func(f boards.FileClass) bool {
		return f.Format != classify.FormatSystem && f.Format != classify.FormatEmpty
	})
}

// price fills a quote with an instant price, or with why people must price it.
func (s *Service) price(ctx context.Context, q *quotes.Quote, b boards.Board, in *inquiry) error {
	out := s.resolver.Resolve(q.Request, factsOf(b, in.names), in.stackups...)
	place, problems := s.tables.Places.Resolve(q.Request.ShipTo, s.cfg.DefaultCountry)
	if refusal := joinRefusals(out.Refusal, problems); refusal != nil {
		return refusal
	}
	notes := append(testNotes(q.Account, q.Request), unknownNotes(in.data.Unknown)...)
	if q.Request.SkipBoardChecks {
		notes = append(notes, "The board is built as designed, whatever its checks found, as asked.")
	}
	if differ(b.Findings) {
		notes = append(notes, "The fabrication notes in the files differ from what other files of the design say; the notes were followed, and board_findings lists each difference.")
	}
	notes = append(notes, unreadNotes(slices.Concat(in.found, b.Findings))...)
	if out.Board != nil {
		notes = append(notes, out.Board.Notes...)
	}
	reasons := out.Reasons
	if quotes.TestScenarioOf(q.Account, q.Request) == quotes.TestReview {
		reasons = append(slices.Clone(reasons), "A test key asked for a review.")
	}
	if q.Request.Assembly {
		return s.priceAssembled(ctx, q, b, in, out.Board, place, reasons, notes)
	}
	if len(reasons) > 0 {
		return s.review(q, out.Board, reasons, notes)
	}
	reasons, err := s.instant(ctx, q, in, *out.Board, place, notes, offer.Assembly{})
	if err == nil && len(reasons) > 0 {
		err = s.review(q, out.Board, reasons, notes)
	}
	return err
}

// factsOf is what the files state, with their names.
func factsOf(b boards.Board, names []string) options.FileFacts {
	facts := options.FactsOf(b.Facts)
	facts.Names = names
	return facts
}

// joinRefusals joins what is refused about the board and about the destination, so that
// the client learns of all refused fields, and of the open questions, at once.
func joinRefusals(board *contract.Refusal, destination []contract.FieldProblem) *contract.Refusal {
	if len(destination) == 0 {
		return board
	}
	if board == nil {
		return contract.RefuseFields(destination)
	}
	refusal := contract.RefuseFields(append(slices.Clone(board.Fields), destination...))
	refusal.Questions, refusal.Known, refusal.Findings = board.Questions, board.Known, board.Findings
	return refusal
}

// instant asks the fabricators. Reasons say that people must look.
func (s *Service) instant(ctx context.Context, q *quotes.Quote, in *inquiry, board options.Board, place destination.Place, notes []string, assembly offer.Assembly) (reasons []string, err error) {
	spec := board.Spec
	spec.To.Country, spec.To.PostalCode = place.Country, place.PostalCode
	spec.Quantity = s.catalog.BuildQuantity(q.Request.Quantity)
	basis := offer.Basis{
		Day: dated.DayOf(s.now()), Quantity: q.Request.Quantity, BuildCount: spec.Quantity, Board: board.Details,
		BoardWords: board.Words, HSCode: offer.BareBoard, Rates: s.rates.Rates(ctx),
	}
	if basis.Assembly = assembly; assembly.Boards > 0 {
		basis.HSCode = s.cfg.AssembledHS
	}
	w := wish{Choice: offer.Choice{Place: place}, before: in.data.Chosen}
	if want := q.Request.BuildTimeHours; want != nil {
		w.BuildHours = *want
	}
	in.round = s.askAround(ctx, q.Account, q.Request.Assembly, in.rule, basis, spec, w)
	made := s.choose(in.round, w)
	q.FabricatorChoice = made.describe(in.round)
	if made.index < 0 {
		return s.wordOf(in.round, made)
	}
	p, o := in.round.answers[made.index].priced, made.offers[made.index]
	if w.before != nil { // which is chosen again once the quote is filled
		if o, err = s.tables.Price(p.basis, w.Choice); err != nil {
			return classifyOfferError(err)
		}
	}
	q.Mode, q.Status, q.ExpiresAt = quotes.ModeInstant, quotes.Ready, q.CreatedAt.Add(quotes.InstantTTL)
	q.Reply.BoardDetailsFrom = q.Request.OrderFile.NameSources(board.From)
	q.Delivery = s.deliveryOf(q.Request)
	if place.Assumed {
		q.Assumed = place.Country
	}
	p.notes = notes
	return nil, s.fill(q, p, o)
}

// refuseBuild refuses a build that is none of those that there are, the standard one first.
func refuseBuild(builds []offer.Build) *contract.Refusal {
	hours := make([]any, len(builds))
	for i, b := range builds {
		hours[i] = b.Hours
	}
	return contract.RefuseFields([]contract.FieldProblem{{
		Field: "build_time_hours", Problem: "not_offered", Allowed: hours, Message: "This build time is not offered for this number of boards.",
	}})
}

// fill writes an offer into a quote, with the delivery that it is for and what
// the fabricator shall be asked for once it is paid.
func (s *Service) fill(q *quotes.Quote, p pricing, o offer.Offer) error {
	q.Reply.Notes, q.Reply.Fabricator = slices.Clone(p.notes), p.fabricator
	o.Fill(&q.Reply)
	if q.Charge = nil; s.margin != nil && q.Assumed == "" {
		q.Charge = prices.NewCharge(q.Reply.InYourCurrency, o.TotalCents, *s.margin)
	}
	if q.Assembly != nil {
		q.Reply.Notes = append(q.Reply.Notes, q.Assembly.Notes...)
	}
	saved, no := false, false
	if q.Delivery != nil {
		q.Delivery.ShippingID, q.Delivery.BuildHours = o.Choice.ShippingID, o.Choice.BuildHours
		saved = len(s.tables.Places.Unmet(q.Delivery.ShipTo)) == 0
	}
	q.Reply.DeliverySaved, q.Reply.SavedDetails = &saved, &no
	p.spec.BuildHours = o.Choice.BuildHours
	return p.savePricing(q, o.Choice)
}

func (s *Service) review(q *quotes.Quote, b *options.Board, reasons, notes []string) error {
	q.Mode, q.Status = quotes.ModeReview, quotes.SourcingReady
	q.ExpiresAt = q.CreatedAt.Add(quotes.ReviewTTL)
	saved := false
	review := offer.Review{Quantity: q.Request.Quantity, Assembled: q.Request.Assembly, Reasons: reasons}
	q.Reply = quotes.Reply{Notes: notes, SavedDetails: &saved}
	if b != nil {
		details := b.Details
		review.Board, review.BoardWords, q.Reply.BoardDetailsFrom = &details, b.Words, q.Request.OrderFile.NameSources(b.From)
	}
	offer.FillReview(&q.Reply, review)
	if q.Delivery = s.deliveryOf(q.Request); q.Delivery != nil {
		saved := len(s.tables.Places.Unmet(q.Delivery.ShipTo)) == 0
		q.Reply.DeliverySaved = &saved
	}
	return keepSpec(q, b)
}

// differ reports whether the files' notes and setup contradict each other.
func differ(findings []contract.Finding) bool {
	return slices.ContainsFunc(findings, func(f contract.Finding) bool { return f.Check == "notes_differ" })
}

// deliveryOf is the delivery that a request names, in codes; nil if it names none.
func (s *Service) deliveryOf(r quotes.Request) *shipments.Delivery {
	if r.ShipTo == nil {
		return nil
	}
	return &shipments.Delivery{ShipTo: s.tables.Places.Normal(*r.ShipTo)}
}

var plainName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]{0,63}$`)

// unknownNotes names properties that the service does not know. A name from
// outside stands in our sentence only if it is a plain word.
func unknownNotes(unknown []string) []string {
	var known []string
	for _, name := range unknown {
		if plainName.MatchString(name) {
			known = append(known, name)
		}
	}
	switch {
	case len(unknown) == 0:
		return nil
	case len(known) == 0:
		return []string{"The request has properties that this service does not know; they were left aside."}
	default:
		return []string{"The request has properties that this service does not know, which were left aside: " + strings.Join(known, ", ") + "."}
	}
}
