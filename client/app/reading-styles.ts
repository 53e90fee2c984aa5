// What readers' pages look like travels inside each page, as one sheet of one hash: no page waits for a file of
// styles. All other components' styles come as files, with the code that draws them.
import "../ui/styles/index.css";
import "../ui/avatar.css";
import "../ui/button.css";
import "../ui/columns.css";
import "../ui/flash-notice.css";
import "../ui/missing.css";
import "../ui/notice.css";
import "../ui/pager.css";
import "../ui/picture.css";
import "../features/categories/category-list.css";
import "../features/comments/comments.css";
import "../features/likes/like-button.css";
import "../features/posts/post-article.css";
import "../features/posts/post-card.css";
import "../features/posts/prose.css";
import "../features/profiles/profile-head.css";
import "../pages/home.css";
import "../pages/profile.css";
