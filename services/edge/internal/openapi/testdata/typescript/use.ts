// What people write against the types that are made of the description.
import createClient from "openapi-fetch";
import type { components, paths } from "./api";

const client = createClient<paths>({ baseUrl: "https://api.example.com", headers: { "X-API-Key": "bo_test_" } });

export async function order(upload_id: string): Promise<number | null | undefined> {
  const { data, error } = await client.POST("/v1/quotes", {
    body: { upload_id, quantity: 10, standard_for_unstated: true, ship_to: { country: "DE", postal_code: "10115", city: "Berlin" } },
  });
  if (error) {
    const code: components["schemas"]["ErrorCode"] = error.error;
    throw new Error(code);
  }
  return "mode" in data ? data.total_cents : undefined;
}

export const check = (upload_id: string) => client.POST("/v1/design-checks", { body: { upload_id } });
export const parts = (bom_csv: string) => client.POST("/v1/part-checks", { body: { boards: 10, bom_csv } });
export const link = (upload_id: string) => client.POST("/v1/buy-links", { body: { upload_id, surface_finish: "enig" } });
export const finish = (upload_id: string) => client.POST("/v1/quotes", { body: { upload_id, quantity: 1, surface_finish: "hard gold", special_requirements: true } });
