import type { ReactNode } from "react";
import type { ProfileHeadFragment } from "../../generated/graphql.ts";
import { Avatar } from "../../ui/basics/avatar.tsx";
import { LinkedText } from "../../ui/basics/linked-text.tsx";
import { ShortDate } from "../../ui/data/time.tsx";
import "./profile-head.css";

type Props = {
  profile: ProfileHeadFragment;
  photoForm?: ReactNode;
  children?: ReactNode;
};

export const ProfileHead = ({ profile, photoForm, children }: Props) => (
  <header className="profile-head">
    <div className="photo">
      <Avatar url={profile.profilePhoto.url} srcset={profile.profilePhoto.srcset} size="large" />
      {photoForm}
    </div>
    <div className="about">
      <h1 dir="auto">{profile.username}</h1>
      {profile.bio && <LinkedText className="bio" text={profile.bio} />}
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
    <div className="about">
      <div className="skeleton line title" />
      <div className="skeleton line" />
    </div>
  </div>
);
