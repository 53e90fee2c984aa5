import "./marked.css";

/** A text whose matches are marked. Texts of users stay text: React escapes them. */
export const HighlightedText = ({ parts }: { parts: { text: string; isMatch: boolean }[] }) => (
  <>{parts.map(({ text, isMatch }, index) => (isMatch ? <mark key={index}>{text}</mark> : text))}</>
);
