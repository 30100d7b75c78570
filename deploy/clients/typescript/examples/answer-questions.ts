// Asks for a quote, and puts every question that the files leave open to whoever sits at the terminal.
import { createInterface } from "node:readline/promises";
import { BoardOrder, DesignError, isOpen, NeedsAnswersError, withAnswer, type QuoteReply, type QuoteRequest } from "boardorder";

const client = new BoardOrder(process.env.BASE!, process.env.KEY!);
const terminal = createInterface({ input: process.stdin, output: process.stderr });
const typed = terminal[Symbol.asyncIterator]();

const upload = await client.uploads.create(process.argv[2] ?? "board.zip");
const request: QuoteRequest = { upload_id: upload.upload_id, quantity: 10, ship_to: { country: "DE" } };

interface Choice { text: string; field: string; value: unknown; usual?: boolean }

async function choose(question: string, choices: Choice[]): Promise<Choice | undefined> {
  console.error(question);
  choices.forEach(({ text, usual }, i) => console.error(`  ${i + 1}  ${text}${usual ? " (the usual one: press Enter)" : ""}`));
  const line = await typed.next();
  return line.value === "" ? choices.find((c) => c.usual) : choices[Number(line.value) - 1];
}

async function quote(request: QuoteRequest): Promise<QuoteReply | undefined> {
  try {
    return await client.quotes.create(request);
  } catch (error) {
    if (!(error instanceof NeedsAnswersError || error instanceof DesignError)) throw error;
    console.error(error.message);
    const questions = error instanceof NeedsAnswersError ? error.questions : [];
    const asked = [
      ...questions.map((q) => ({ text: q.question, choices: q.choices.map((value) => ({ text: String(value), field: q.option, value, usual: value === q.usual })) })),
      ...error.findings.filter((f) => f.level === "must_fix").map((f) => ({ text: f.what, choices: (f.answers ?? []).filter((a) => !isOpen(a.value)).map((a) => ({ text: a.means, ...a })) })),
    ].filter((a) => a.choices.length);
    if (!asked.length) {
      for (const { level, what } of error.findings) console.error(`${level}: ${what}`); // to mend, or to build all the same: skip_board_checks
      console.error(error.reportUrl ?? "");
      return undefined;
    }
    for (const { text, choices } of asked) {
      const answer = await choose(text, choices);
      if (!answer) return undefined;
      request = withAnswer(request, answer);
    }
    return quote(request);
  }
}

const result = await quote(request);
terminal.close();
console.log(result ? `${result.board}: ${result.total} ${result.checkout_url}` : "There is no price yet.");
