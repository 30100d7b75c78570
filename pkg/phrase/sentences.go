package phrase

import "boardorder/pkg/language"

// sentences are what the service says in whole sentences: notes of a price, why our team
// prices a board, and what is wrong with what was entered. They stand in the words of the
// pages, and before the shorter forms, which some of them hold.
var sentences = []string{
	// Notes of a price.
	language.Key("No destination was given: this price, with its duty and tax, is an example for %s. Choose the country to see its price."),
	language.Key("Sales tax in %s depends on the state; it is added, where it is due, once the state is known."),
	language.Key("Tax in %s depends on the province; the highest rate is included until it is known."),
	language.Key("The price per board is the total divided by the quantity, rounded to the cent; the total is what is paid."),
	language.Key("The total is in US dollars alone: there is no exchange rate for %s at the moment."),
	language.Key("Some of the duty or tax rates were not confirmed when they were last checked; the price holds the highest that they may be and does not rise."),
	language.Key("Some of the duty or tax rates were not confirmed when they were last checked; the price holds the prudent rate and does not rise if the true one is higher."),
	language.Key("No destination was given: this price, with its duty and tax, is an example for %s. Choose yours to see its price; checkout prices the real address before payment."),
	language.Key("The smallest lot is %s: all of them are delivered, at this price for all, though only 1 was asked for."),
	language.Key("The smallest lot is %s: all of them are delivered, at this price for all, though only %d were asked for."),
	language.Key("All boards are assembled; no parts are bought, so the price holds none."),
	language.Key("A part of this quote left stock or doubled in price since it was made. Nothing was charged. Please ask for a new quote of the same files."),
	language.Key("%d parts of this quote left stock or doubled in price since it was made. Nothing was charged. Please ask for a new quote of the same files."),
	language.Key("All boards are assembled; the price of parts was found at suppliers just now and is looked up again before payment."),
	language.Key("The board is assembled; the price of parts was found at suppliers just now and is looked up again before payment."),
	language.Key("%d of the %d boards are assembled; the price of parts was found at suppliers just now and is looked up again before payment."),
	language.Key("The board is built as designed, whatever its checks found, as asked."),
	language.Key("The fabrication notes in the files differ from what other files of the design say; the notes were followed, and each difference is listed on this page."),
	language.Key("Your notes go with the order to our team and to whoever builds it, and change neither price nor options."),
	language.Key("The files show gold fingers without saying more: their edge is priced without a bevel."),
	language.Key("The files show filled vias without saying how: via process was priced as %s."),
	language.Key("The earlier order went by %s, which is not offered for this one; what is offered is listed below."),
	language.Key("The earlier order was built in %d hours, which is not offered for this one; what is offered is listed below."),
	language.Key("%s; not confirmed; the highest that it may be is in the price"),
	language.Key("To %s, %s in transit, %s."),
	language.Key("To %s, %s in transit."),

	// Parts that the customer confirms to have seen.
	language.Key("At %s the part %s is fitted in place of %s; whoever asked for this price said that you approved it."),
	language.Key("At %s the part %s is fitted, and it needs a look: %s"),

	// What keeps a part from being priced.
	language.Key("It has no position: the placements do not list it."),
	language.Key("it names no exact part: a part number is needed"),

	// Why our team prices a board.
	language.Key("Special requirements were asked for."),
	language.Key("Some suppliers have not answered in time about all parts."),
	language.Key("The stackup of the files is built after the team has looked at it."),
	language.Key("Separating the boards of a panel is quoted by hand."),
	language.Key("Separated boards were asked for, and no panel was recognised in the files, so our team looks where to separate them."),
	language.Key("Not all copper layers were recognised among the files, so our team looks which file is which."),
	language.Key("A test key asked for a review."),

	// What is wrong with what was entered.
	language.Key("Some of the details need your attention."),
	language.Key("Please choose a shipping method."),
	language.Key("The shipping method that was chosen is not offered for these boards. Please choose another one."),
	language.Key("This is not an e-mail address. One looks like name@example.com."),
	language.Key("This is no phone number. It looks like +1 415 555 0100."),
	language.Key("This has at most %d characters; please shorten it."),
	language.Key("The note has at most %d characters; please shorten it."),
	language.Key("The answer has at most %d characters; please shorten it."),
	language.Key("Please write the answer."),
	language.Key("Enter a whole number from 1 to 100,000."),
	language.Key("This is no postal code of %s: one looks like %s."),
	language.Key("This is too short for a street address: give the street and the house number."),
	language.Key("Couriers do not deliver to post office boxes: give a street and a number."),
	language.Key("Tax numbers of %s are not known here: leave the tax number empty."),
	language.Key("The check digit of this tax number of %s is wrong: please check it for a typing error."),
	language.Key("This is no tax number as %s gives them out."),
	language.Key("This build time is not offered for this board."),
	language.Key("This way of shipping is not offered to this country."),
	language.Key("No state or province of %s that we deliver to has this postal code."),
	language.Key("This postal code lies in %s, and the address names %s: please correct one of them."),
	language.Key("A tax number can be read only together with its country."),
	language.Key("The tax in %s depends on the state or province."),
	language.Key("Customs in %s ask for the recipient's %s."),
	language.Key("customs clearance code (PCCC) or business number"),
	language.Key("importer code or ID number"),
	language.Key("This is needed for delivery."),

	// What cannot be done.
	language.Key("That was a lot of tries in a short time. Please wait %d minutes and try again; nothing of what you entered is lost."),
	language.Key("No more prices can be given here today. Please come back after %s."),
	language.Key("The payment page is not ready yet. Nothing was charged; please press Pay again."),
	language.Key("Please look at what was found in the design files, and tick that you have seen it."),
	language.Key("Please look at what was found and at the parts that need a look or take the place of others, and tick that you want the boards like this."),
	language.Key("The card processor did not accept this payment. Please try again later."),
	language.Key("The card processor cannot be reached at the moment. Nothing was charged; please try again in a minute."),
	language.Key("The bank is still deciding about a payment for this quote. Please do not pay again."),
	language.Key("The design files of this quote are no longer kept. Please upload them again for a new quote."),
	language.Key("The design files of this quote were declared ITAR-controlled; it cannot be ordered here."),
	language.Key("This quote has expired. Please ask for a new one."),
	language.Key("The fabricator that this quote is of takes no orders from us any more. Please ask for a new quote."),
	language.Key("The design was declared export-controlled, so its pages are closed."),
	language.Key("The design was declared export-controlled, so its pages are closed. If you have paid, please write to us."),
	language.Key("This board is no longer offered."),
	language.Key("Invoices are shown to the customer alone: please open the link in our e-mail."),
	language.Key("There is no such document yet. The invoice is written as soon as the order is with the factory."),
	language.Key("There is no price just now. Please try again in a minute."),
	language.Key("These boards cannot be priced as they were: %s. Please ask for a new quote where you got this one."),
}
