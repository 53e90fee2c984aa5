import { lazyComponent } from "../../lib/lazy-component.tsx";
import type { FollowButtonProps } from "./follow-button.tsx";
import { FollowLink } from "./follow-link.tsx";

const FollowButton = lazyComponent<FollowButtonProps>(
  async () => (await import("./follow-button.tsx")).FollowButton,
  FollowLink,
);

export const Follow = ({ isSignedIn, ...followed }: FollowButtonProps & { isSignedIn: boolean }) => (
  <div className="action-row">
    {isSignedIn ? <FollowButton {...followed} /> : <FollowLink {...followed} />}
  </div>
);
