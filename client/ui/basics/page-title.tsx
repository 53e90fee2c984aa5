import { useSite } from "../../lib/site.ts";

export function PageTitle({ name, description }: { name?: string; description?: string }) {
  const { title } = useSite();
  return (
    <>
      <title>{name ? `${name} · ${title}` : title}</title>
      {description && <meta name="description" content={description} />}
    </>
  );
}
