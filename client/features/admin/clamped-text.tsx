/** A text of two lines at most; the whole of it is shown when the pointer rests on it. */
export const ClampedText = ({ text }: { text: string }) => (
  <span className="clamped" title={text}>
    {text}
  </span>
);
