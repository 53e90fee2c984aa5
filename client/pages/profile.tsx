import { useQuery } from "@apollo/client/react";
import { useParams } from "react-router-dom";
import { PostList } from "../features/posts/post-list.tsx";
import { PostListSkeleton } from "../features/posts/post-skeletons.tsx";
import { ProfileHead } from "../features/profiles/profile-head.tsx";
import { ProfilePageDocument } from "../generated/graphql.ts";
import { Failure } from "../ui/failure.tsx";
import { Missing } from "../ui/missing.tsx";
import { MoreButton } from "../ui/more-button.tsx";
import { PageTitle } from "../ui/page-title.tsx";

export function ProfilePage() {
  const { id = "" } = useParams();
  const { data, error, refetch, fetchMore } = useQuery(ProfilePageDocument, { variables: { id } });
  const profile = data?.profile;
  if (profile === null) return <Missing message="user not found" />;
  if (error?.message === "invalid id") return <Missing message="invalid id" />;
  if (error && !profile) return <Failure error={error} retry={() => void refetch()} />;
  if (!profile) return <PostListSkeleton />;
  const { nodes, pageInfo } = profile.posts;
  return (
    <>
      <PageTitle name={profile.username} description={profile.bio ?? undefined} />
      <ProfileHead profile={profile} />
      <section aria-labelledby="posts-of">
        <h2 id="posts-of">{profile.username} Posts</h2>
        <PostList posts={nodes} />
        {nodes.length === 0 && <p className="notice">Nothing written yet.</p>}
        {pageInfo.hasNextPage && (
          <MoreButton load={() => fetchMore({ variables: { after: pageInfo.endCursor } })} />
        )}
      </section>
    </>
  );
}
