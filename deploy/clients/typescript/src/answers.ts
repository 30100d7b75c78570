import type { Answer } from "./api.js";
import { InvalidError } from "./errors.js";

/** Whether an answer leaves open what only the customer knows. */
export const isOpen = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === "object" && Object.values(value).some(isOpen));

/**
 * The request with an answer in it: one of those that an error offers, or one of yours, `{field: question.option, value: 1.6}`.
 * What is there already is kept; objects and lists get more, but the order of layers is told whole.
 */
export function withAnswer<R extends object>(request: R, answer: Pick<Answer, "field" | "value">): R {
  if (isOpen(answer.value)) throw new InvalidError(`${answer.field} asks for what only the customer knows: put it in place of null.`);
  const [group, ...rest] = answer.field.split(".");
  const name = rest.join(".");
  const value = name ? { [name]: answer.value } : answer.value;
  return { ...request, [group!]: merge((request as Record<string, unknown>)[group!], value) };
}

function merge(old: unknown, more: unknown, name = ""): unknown {
  if (Array.isArray(old) && Array.isArray(more) && name !== "layer_order") return [...old, ...more.filter((item) => !old.includes(item))];
  if (!isObject(old) || !isObject(more)) return more;
  const out = { ...old };
  for (const [key, value] of Object.entries(more)) out[key] = merge(out[key], value, key);
  return out;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
