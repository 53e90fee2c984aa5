import { useSite, type PageMetadata } from "../../lib/site.ts";

type Props = Omit<PageMetadata, "title"> & { name?: string };

const feeds = [
  ["application/rss+xml", "feed.xml", "RSS"],
  ["application/atom+xml", "atom.xml", "Atom"],
  ["application/feed+json", "feed.json", "JSON Feed"],
] as const;

/** The parts of the head that matter while one moves around the site; the server adds those for link previews. */
export function PageTitle({ name, ...facts }: Props) {
  const { title: siteTitle, url, reportPage } = useSite();
  const title = name ? `${name} · ${siteTitle}` : siteTitle;
  const { description, path, feedsOf } = facts;
  reportPage({ ...facts, title: name ?? siteTitle });
  return (
    <>
      <title>{title}</title>
      {description && <meta name="description" content={description} />}
      {path !== undefined && <link rel="canonical" href={url + path} />}
      {feedsOf !== undefined &&
        feeds.map(([type, file, format]) => (
          <link
            key={file}
            rel="alternate"
            type={type}
            title={`${feedsOf ? title : siteTitle} (${format})`}
            href={`${url}${feedsOf}/${file}`}
          />
        ))}
    </>
  );
}
