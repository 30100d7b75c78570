import { readFileSync } from "node:fs";

/** Where the cases stand that every client library is held to. */
const folder = process.env.VECTORS ?? new URL("../../../vectors", import.meta.url).pathname;

export const readVectors = <T>(name: string): T => JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8")) as T;
