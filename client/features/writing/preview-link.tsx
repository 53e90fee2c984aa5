import { useMutation, useQuery } from "@apollo/client/react";
import {
  CreatePreviewLinkDocument,
  DraftPreviewLinkDocument,
  RevokePreviewLinkDocument,
} from "../../generated/writing/graphql.ts";
import { reportError } from "../../lib/forms/report-error.ts";
import { Button } from "../../ui/forms/button.tsx";
import { Field } from "../../ui/forms/field.tsx";
import type { Autosave } from "./autosave.ts";

/** A link with which anybody can read the draft, until it is revoked. */
export function PreviewLink({ id, autosave }: { id: string; autosave: Autosave }) {
  const { data, loading } = useQuery(DraftPreviewLinkDocument, { variables: { id } });
  const options = { variables: { id }, onError: reportError };
  const [create, creating] = useMutation(CreatePreviewLinkDocument, options);
  const [revoke, revoking] = useMutation(RevokePreviewLinkDocument, options);
  const url = data?.draft?.previewUrl;
  if (!url)
    return (
      <div className="preview-link">
        <Button
          type="button"
          variant="quiet"
          // A response that is under way would hide the new link again.
          busy={loading || creating.loading}
          onClick={() => void autosave.flush().then(() => create(), reportError)}
        >
          Create a preview link
        </Button>
      </div>
    );
  return (
    <div className="preview-link">
      <Field label="Preview link" hint="Everybody with it can read this draft, without an account.">
        {(attributes) => (
          <input
            {...attributes}
            className="input"
            readOnly
            value={url}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
        )}
      </Field>
      <Button type="button" variant="quiet" busy={revoking.loading} onClick={() => void revoke()}>
        Revoke the link
      </Button>
    </div>
  );
}
