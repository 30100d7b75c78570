package mcp

import (
	"cmp"
	"fmt"

	"boardorder/pkg/contract"
)

// advices are what to do after a refusal, by its code.
var advices = map[contract.Code]string{
	contract.InvalidRequest:       "Correct what message and fields name, then call the tool again. Do not repeat the call unchanged.",
	contract.NeedsDetails:         "Put each of `questions` to the user with its choices, unless they answered it already; never answer for them. Then call the tool again with everything you sent before and the answers: the argument that `option` names with what was chosen or, where a question has `answers`, the `field` and `value` of one. Only if the user accepts the usual values: standard_for_unstated: true.",
	contract.DesignFiles:          "Show the user the findings and report_url. They upload corrected files by create_upload_link, or answer what a finding's answers offer. Send skip_board_checks: true only if the user has seen the findings and wants the board built as it is.",
	contract.NeedsPartNumbers:     "Ask the user for the part numbers of the lines in `parts`, or whether to leave them off (do_not_fit_refs).",
	contract.OffBoardParts:        "Ask the user for a file with the positions of the parts in `off_board_parts`, or whether to leave them off (do_not_fit_refs).",
	contract.NoFiles:              "No file has arrived. Run `command` of create_upload_link in the folder of the design, or have the user run it, then call get_upload.",
	contract.UploadNotFound:       "Give upload_id exactly as create_upload_link had it, or call create_upload_link for a new one.",
	contract.UploadExpired:        "The files are gone. Call create_upload_link and upload them again.",
	contract.UploadNotReady:       "Call the same tool again with the same arguments in retry_after_s seconds.",
	contract.QuoteExpired:         "Call quote_boards again for a price that holds.",
	contract.ITARNotSupported:     "Stop: this design cannot be ordered here. Tell the user.",
	contract.Forbidden:            "This API key may not do this. Tell the user which scope is missing; whoever gave the key can add it.",
	contract.RateLimited:          "Wait retry_after_s seconds before any other call; do not try again sooner.",
	contract.Unavailable:          "Nothing was lost. Call the same tool again with the same arguments in retry_after_s seconds.",
	contract.PriceUnavailable:     "Nothing was lost. Call the same tool again with the same arguments in retry_after_s seconds.",
	contract.IdempotencyKeyInUse:  "Call the same tool again with the same arguments in retry_after_s seconds.",
	contract.IdempotencyKeyReused: "Use a new idempotency_key for a call with other arguments.",
	contract.CursorExpired:        "Call list_events with after: oldest_cursor.",
}

// advice is what to do after a reply, in a sentence or two.
func advice(tool string, reply map[string]any) string {
	if reply["ok"] == false {
		code, _ := reply["error"].(string)
		return cmp.Or(advices[contract.Code(code)], "Tell the user what message says.")
	}
	if reply["status"] == "pending" {
		if tool == "price_table" {
			return fmt.Sprintf("Not priced yet. Call price_table again with the same arguments in %v seconds; it goes on with the same table.", reply["retry_after_s"])
		}
		return fmt.Sprintf("Not priced yet. Call get_quote with this request_id in %v seconds.", reply["retry_after_s"])
	}
	switch tool {
	case "create_upload_link":
		return "Run `command` in the folder of the design, or have the user run it; it needs no key. Then call get_upload with this upload_id."
	case "get_upload":
		return uploadAdvice(reply)
	case "check_design", "check_parts":
		return checkAdvice(reply)
	case "quote_boards", "get_quote", "price_table":
		return priceAdvice(tool, reply)
	case "create_buy_link":
		return "Give buy_url to the user: whoever opens it chooses a quantity, sees the price and can pay there."
	case "list_events":
		return "Call list_events with after: next_cursor for what follows."
	}
	return "Send values of this list as arguments of quote_boards or price_table."
}

func uploadAdvice(reply map[string]any) string {
	switch {
	case reply["status"] == "receiving":
		return "The files are being unpacked. Call get_upload again in 5 seconds."
	case isEmpty(reply["files"]):
		return "No file has arrived. Run `command` in the folder of the design, or have the user run it, then call get_upload again."
	}
	return "Call quote_boards with this upload_id for a price, or check_design for what to mend first. Both wait for files that are still being read."
}

func checkAdvice(reply map[string]any) string {
	if reply["retry_after_s"] != nil {
		return fmt.Sprintf("Not finished. Call the tool again with the same arguments in %v seconds; it goes on with the same check.", reply["retry_after_s"])
	}
	if reply["report_url"] != nil {
		return "Tell the user the status, the worst findings and report_url. Call quote_boards for a price."
	}
	return "Tell the user which parts cannot be had, and what could take their place."
}

func priceAdvice(tool string, reply map[string]any) string {
	switch {
	case tool == "price_table":
		return "Show the user the totals. For one of them call quote_boards with its quantity, build time and destination."
	case reply["status"] != nil: // of a quote that is followed
		return "Tell the user where it stands and what `next` says; call get_quote again later to see more."
	case reply["mode"] == "review":
		return "There is no instant price. Give the user checkout_url, where they can ask our team for one. Nothing is ordered yet."
	}
	return "Tell the user the total, what it includes, delivery, board_details and assumptions, and give them checkout_url. They pay there; you cannot, and nothing is ordered before."
}
