import { Button } from "./button.tsx";
import "./upload-progress.css";

type Props = {
  /** From 0 to 1; null while nothing is sent. */
  progress: number | null;
  onCancel: () => void;
};

/** How far an upload has come. Once all of it is sent it can no longer be taken back. */
export function UploadProgress({ progress, onCancel }: Props) {
  if (progress === null) return null;
  const percent = Math.floor(progress * 100);
  return (
    <div className="upload-progress">
      <progress max={100} value={percent} aria-label="Upload">
        {percent} %
      </progress>
      <span className="meta">{percent < 100 ? `${percent} % sent` : "Sent, one moment …"}</span>
      {percent < 100 && (
        <Button type="button" look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      )}
      {/* Said in quarters: every percent would be too much to listen to. */}
      <span role="status" className="visually-hidden">
        {percent < 100 ? `Uploading, ${percent - (percent % 25)} percent` : "The picture is sent"}
      </span>
    </div>
  );
}
