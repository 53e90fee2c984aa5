import { Icon } from "./icons.tsx";

/** Apart from the other icons, which readers' pages load. */
export const HistoryIcon = () => (
  <Icon>
    <path d="M4.5 12a7.5 7.5 0 1 0 2.3-5.4L4.5 8.8M4.5 4.5v4.3h4.3M12 8v4.2l2.8 1.8" />
  </Icon>
);
