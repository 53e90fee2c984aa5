import { useApolloClient, useQuery } from "@apollo/client/react";
import { useNavigate, useParams } from "react-router-dom";
import { paths } from "../app/paths.ts";
import { SessionList } from "../features/accounts/session-list.tsx";
import {
  endSession,
  forgetAnswers,
  setUsername,
  setUserPhoto,
  useSession,
} from "../features/accounts/session.ts";
import { PostList } from "../features/posts/post-list.tsx";
import { PostListSkeleton } from "../features/posts/post-skeletons.tsx";
import { OwnerTools } from "../features/profiles/owner-tools.tsx";
import { PhotoForm } from "../features/profiles/photo-form.tsx";
import { ProfileHead } from "../features/profiles/profile-head.tsx";
import { ProfilePageDocument, type ProfilePageQuery } from "../generated/graphql.ts";
import { toast } from "../lib/toast.ts";
import { Failure } from "../ui/failure.tsx";
import { Missing } from "../ui/missing.tsx";
import { MoreButton } from "../ui/more-button.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import "./profile.css";

export function ProfilePage() {
  const { id = "" } = useParams();
  const { data, error, refetch, fetchMore } = useQuery(ProfilePageDocument, { variables: { id } });
  const profile = data?.profile;
  if (profile === null) return <Missing message="user not found" />;
  if (error?.message === "invalid id") return <Missing message="invalid id" />;
  if (error && !profile) return <Failure error={error} retry={() => void refetch()} />;
  if (!profile) return <PostListSkeleton />;
  const after = profile.posts.pageInfo.endCursor;
  return <ProfileDetails key={id} profile={profile} loadMore={() => fetchMore({ variables: { after } })} />;
}

type Details = { profile: NonNullable<ProfilePageQuery["profile"]>; loadMore: () => Promise<unknown> };

function ProfileDetails({ profile, loadMore }: Details) {
  const isOwn = useSession()?._id === profile.id;
  const { nodes, pageInfo } = profile.posts;
  return (
    <>
      <PageTitle name={profile.username} description={profile.bio ?? undefined} />
      <ProfileHead profile={profile}>{isOwn && <OwnProfile profile={profile} />}</ProfileHead>
      <section aria-labelledby="posts-of">
        <h2 id="posts-of">{profile.username} Posts</h2>
        <PostList posts={nodes} />
        {nodes.length === 0 && <p className="notice">Nothing written yet.</p>}
        {pageInfo.hasNextPage && <MoreButton load={loadMore} />}
      </section>
      {isOwn && (
        <div className="own-profile">
          <PhotoForm profileId={profile.id} onUploaded={setUserPhoto} />
          <SessionList />
        </div>
      )}
    </>
  );
}

function OwnProfile({ profile }: Pick<Details, "profile">) {
  const client = useApolloClient();
  const navigate = useNavigate();
  const leave = (message: string) => {
    endSession();
    void navigate(paths.home);
    void forgetAnswers(client);
    toast.success(message, { autoClose: 2000 });
  };
  return <OwnerTools profile={profile} onRenamed={setUsername} onDeleted={leave} />;
}
