import { Button } from "./button.tsx";
import "./upload-progress.css";

type Props = {
  progress: number | null;
  onCancel: () => void;
};

/** Hides the cancel button at 100 %: the server is then processing the upload. */
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
        <Button type="button" variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      )}
      {/* Announces quarters only: every percent would be too many announcements. */}
      <span role="status" className="visually-hidden">
        {percent < 100 ? `Uploading, ${percent - (percent % 25)} percent` : "The picture is sent"}
      </span>
    </div>
  );
}
