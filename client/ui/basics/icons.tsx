import type { ReactNode } from "react";

export const Icon = ({ children, filled = false }: { children: ReactNode; filled?: boolean }) => (
  <svg
    className="icon"
    viewBox="0 0 24 24"
    width="24"
    height="24"
    fill={filled ? "currentColor" : "none"}
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    {children}
  </svg>
);

export const PencilIcon = () => (
  <Icon>
    <path d="M4 20l1-4.5L16.2 4.3a1.8 1.8 0 0 1 2.6 0l.9.9a1.8 1.8 0 0 1 0 2.6L8.5 19z" />
    <path d="M14.4 6.1l3.5 3.5" />
  </Icon>
);

export const ThumbIcon = ({ filled }: { filled: boolean }) => (
  <Icon filled={filled}>
    <path d="M7 10.5v9.5H4.6a.9.9 0 0 1-.9-.9v-7.7a.9.9 0 0 1 .9-.9z" />
    <path d="M7 10.7l4-7.2c1.5 0 2.6 1.2 2.4 2.7l-.5 3.3h5.4a1.9 1.9 0 0 1 1.9 2.3l-1.3 6.3a2.4 2.4 0 0 1-2.3 1.9H7z" />
  </Icon>
);

export const BookmarkIcon = ({ filled }: { filled: boolean }) => (
  <Icon filled={filled}>
    <path d="M7 4h10v16l-5-4-5 4z" />
  </Icon>
);

export const MenuIcon = ({ open }: { open: boolean }) => (
  <Icon>{open ? <path d="M6 6l12 12M18 6L6 18" /> : <path d="M4 8h16M4 16h16" />}</Icon>
);

export const ChevronIcon = () => (
  <Icon>
    <path d="M7 10l5 5 5-5" />
  </Icon>
);

export const CloseIcon = () => (
  <Icon>
    <path d="M6 6l12 12M18 6L6 18" />
  </Icon>
);

export const TrashIcon = () => (
  <Icon>
    <path d="M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.8 12.5h9.4L17.5 7M10 10.5v5.5M14 10.5v5.5" />
  </Icon>
);

export const SearchIcon = () => (
  <Icon>
    <circle cx="10.5" cy="10.5" r="6" />
    <path d="M15 15l5 5" />
  </Icon>
);

const arrows = {
  ascending: "M8 14l4-4 4 4",
  descending: "M8 10l4 4 4-4",
  none: "M8 10l4-4 4 4M8 14l4 4 4-4",
};

/** The sort direction of a column; `none` marks a sortable column. */
export const SortIcon = ({ order }: { order: keyof typeof arrows }) => (
  <Icon>
    <path d={arrows[order]} />
  </Icon>
);
