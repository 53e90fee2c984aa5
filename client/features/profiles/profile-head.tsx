import type { ReactNode } from "react";
import type { ProfileHeadFragment } from "../../generated/graphql.ts";
import { Avatar } from "../../ui/basics/avatar.tsx";
import { ShortDate } from "../../ui/data/time.tsx";
import "./profile-head.css";

type Props = { profile: ProfileHeadFragment; children?: ReactNode };

export const ProfileHead = ({ profile, children }: Props) => (
  <header className="profile-head">
    <Avatar url={profile.profilePhoto.url} srcset={profile.profilePhoto.srcset} size="large" />
    <div>
      <h1>{profile.username}</h1>
      {profile.bio && <p className="bio">{profile.bio}</p>}
      <p className="meta">
        Date Joined: <ShortDate iso={profile.createdAt} />
      </p>
      {children}
    </div>
  </header>
);

export const ProfileHeadSkeleton = () => (
  <div className="profile-head" aria-busy="true" aria-label="Loading profile">
    <span className="avatar large skeleton" />
    <div>
      <div className="skeleton line title" />
      <div className="skeleton line" />
    </div>
  </div>
);
