export const PostCardSkeleton = ({ variant = "row" }: { variant?: "lead" | "row" | "tile" }) => (
  <div className={`post-card ${variant}`}>
    <div className="picture skeleton" />
    <div className="words">
      <div className="skeleton line" />
      <div className="skeleton line title" />
      <div className="skeleton line" />
      <div className="skeleton line" />
    </div>
  </div>
);

export const PostListSkeleton = ({ count = 3 }: { count?: number }) => (
  <div className="post-list" aria-busy="true" aria-label="Loading posts">
    {Array.from({ length: count }, (_, index) => (
      <PostCardSkeleton key={index} />
    ))}
  </div>
);
