import sharp from "sharp";
import { givenBlog } from "./given-blog.ts";
import { call, type Account } from "./people.ts";
import { pictureForm } from "./stage.ts";

const paragraph = "The tide comes in twice a day, and each time it finds the same wall. ".repeat(12);

/** @returns the Markdown of an uploaded picture */
async function upload({ token }: Account, alt: string, background: string): Promise<string> {
  const query =
    "mutation ($image: Upload!, $alt: String!) { uploadPicture(image: $image, alt: $alt) { markdown } }";
  const image = await sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.set("operations", JSON.stringify({ query, variables: { image: null, alt } }));
  form.set("map", JSON.stringify({ 0: ["variables.image"] }));
  form.set("0", new Blob([new Uint8Array(image)], { type: "image/png" }), "wall.png");
  const headers = { authorization: `Bearer ${token}`, "apollo-require-preflight": "true" };
  const response = await fetch(`${givenBlog.url}/graphql`, { method: "POST", headers, body: form });
  return ((await response.json()) as any).data.uploadPicture.markdown;
}

/** A post of several minutes with headings, code and two pictures. */
export async function writeLongPost(writer: Account, title: string): Promise<{ _id: string }> {
  const parts = ["The wall", "The code", "The sea"].map((heading) => `## ${heading}\n\n${paragraph}`);
  const code = "```js\nconst tides = 2;\n```";
  const pictures = [await upload(writer, "A wall", "#347"), await upload(writer, "The sea", "#743")];
  const description = [paragraph, ...parts, code, ...pictures, paragraph].join("\n\n");
  const form = await pictureForm({ title, category: "Places", description });
  return (await call("POST", "/posts", { token: writer.token, form })).body;
}
