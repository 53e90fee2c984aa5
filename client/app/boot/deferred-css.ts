// The styles that no first paint needs. All others come with the code of their component, and inlined into the pages
// that use it.
import "../../ui/styles/fonts-deferred.css";
import "../../ui/styles/print.css";
import "../../features/accounts/account-dropdown.css";
