import { useLocation } from "react-router-dom";
import { LoginLink } from "../../ui/basics/login-link.tsx";

export const FollowLink = ({ name }: { name: string }) => (
  <LoginLink
    from={useLocation().pathname}
    then="follow"
    className="like-button"
    aria-label={`Login to follow ${name}`}
  >
    Follow
  </LoginLink>
);
