// The styles of readers' pages, inlined into each page so that no stylesheet blocks the first paint.
// All other components' styles are files loaded with their code.
import "../../ui/styles/index.css";
import "../../ui/basics/avatar.css";
import "../../ui/forms/button.css";
import "../../ui/basics/columns.css";
import "../../ui/feedback/flash-notice.css";
import "../../ui/feedback/not-found.css";
import "../../ui/feedback/notice.css";
import "../../ui/data/pager.css";
import "../../ui/basics/picture.css";
import "../../features/categories/category-list.css";
import "../../features/comments/comments.css";
import "../../features/likes/like-button.css";
import "../../features/posts/more-to-read.css";
import "../../features/posts/post-article.css";
import "../../features/posts/post-card.css";
import "../../features/posts/post-contents.css";
import "../../features/posts/post-tabs.css";
import "../../features/posts/prose.css";
import "../../features/posts/tag-list.css";
import "../../features/profiles/profile-head.css";
import "../../pages/home.css";
import "../../pages/profile.css";
