import "../features/likes/like-button.css";
import { useQuery } from "@apollo/client/react";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router-dom";
import { paths, profilePath } from "../config/paths.ts";
import { endSession, setUsername, setUserPhoto, useSession } from "../features/accounts/session.ts";
import { Follow } from "../features/following/follow.tsx";
import { PostList } from "../features/posts/post-list.tsx";
import { PostListSkeleton } from "../features/posts/post-skeletons.tsx";
import type { DeleteAccountProps } from "../features/profiles/delete-account.tsx";
import type { PhotoFormProps } from "../features/profiles/photo-form.tsx";
import { ProfileHead, ProfileHeadSkeleton } from "../features/profiles/profile-head.tsx";
import type { UpdateProfileProps } from "../features/profiles/update-profile.tsx";
import { ProfilePageDocument, type ProfilePageQuery } from "../generated/lists/graphql.ts";
import { isId } from "../lib/is-id.ts";
import { lazyComponent } from "../lib/lazy-component.tsx";
import { flash } from "../lib/flash.ts";
import { ErrorNotice } from "../ui/feedback/error-notice.tsx";
import { NotFound } from "../ui/feedback/not-found.tsx";
import { MoreButton } from "../ui/data/more-button.tsx";
import { PageTitle } from "../ui/basics/page-title.tsx";
import "./profile.css";

const UpdateProfile = lazyComponent<UpdateProfileProps>(
  async () => (await import("../features/profiles/update-profile.tsx")).UpdateProfile,
);
const DeleteAccount = lazyComponent<DeleteAccountProps>(
  async () => (await import("../features/profiles/delete-account.tsx")).DeleteAccount,
);
const PhotoForm = lazyComponent<PhotoFormProps>(
  async () => (await import("../features/profiles/photo-form.tsx")).PhotoForm,
);
const SessionList = lazyComponent(
  async () => (await import("../features/accounts/session-list.tsx")).SessionList,
);

export function ProfilePage() {
  const { id = "" } = useParams();
  const [isLeft, setLeft] = useState(false);
  const { data, error, refetch, fetchMore } = useQuery(ProfilePageDocument, {
    variables: { id },
    skip: isLeft || !isId(id),
  });
  if (isLeft) return null;
  if (!isId(id)) return <NotFound message="invalid id" />;
  const profile = data?.profile;
  if (profile === null) return <NotFound message="user not found" />;
  if (error && !profile) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (!profile) return <ProfileSkeleton />;
  const after = profile.posts.pageInfo.endCursor;
  return (
    <ProfileDetails
      key={id}
      profile={profile}
      loadMore={() => fetchMore({ variables: { after } })}
      onLeave={() => setLeft(true)}
    />
  );
}

const ProfileSkeleton = () => (
  <>
    <ProfileHeadSkeleton />
    <PostListSkeleton />
  </>
);

type Details = {
  profile: NonNullable<ProfilePageQuery["profile"]>;
  loadMore: () => Promise<unknown>;
  onLeave: () => void;
};

function ProfileDetails({ profile, loadMore, onLeave }: Details) {
  const viewerId = useSession()?._id;
  const isOwn = viewerId === profile.id;
  const { nodes, pageInfo } = profile.posts;
  return (
    <>
      <PageTitle
        name={profile.username}
        description={profile.bio ?? undefined}
        path={profilePath(profile.id)}
        feedsOf={profilePath(profile.id)}
        profile={profile}
      />
      <ProfileHead
        profile={profile}
        photoForm={isOwn && <PhotoForm profileId={profile.id} onUploaded={setUserPhoto} />}
      >
        {isOwn ? (
          <div className="action-row">
            <UpdateProfile profile={profile} onRenamed={setUsername} />
          </div>
        ) : (
          <Follow id={profile.id} name={profile.username} isSignedIn={viewerId !== undefined} />
        )}
      </ProfileHead>
      <section aria-labelledby="posts-of">
        <h2 id="posts-of">
          <bdi>{profile.username}</bdi> Posts
        </h2>
        <PostList posts={nodes} />
        {nodes.length === 0 && <p className="notice">Nothing written yet.</p>}
        {pageInfo.hasNextPage && <MoreButton load={loadMore} />}
      </section>
      {isOwn && <Settings profile={profile} onLeave={onLeave} />}
    </>
  );
}

function Settings({ profile, onLeave }: Omit<Details, "loadMore">) {
  const navigate = useNavigate();
  const leave = (message: string) => {
    onLeave();
    endSession();
    flash(message);
    void navigate(paths.home);
  };
  return (
    <div className="own-profile">
      <p>
        <Link to={paths.drafts}>Your drafts</Link>
      </p>
      <SessionList />
      <DeleteAccount profile={profile} onDeleted={leave} />
    </div>
  );
}
