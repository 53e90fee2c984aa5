import type { Palette } from "./kit.ts";

/** Six inks-and-papers; every demo picture is printed with one of them. */
export const harbour: Palette = {
  paper: "#f4ead9",
  pale: "#e6cba4",
  mid: "#e3a03c",
  accent: "#d5492d",
  cool: "#3d7d7a",
  ink: "#1e2a45",
};

export const orchard: Palette = {
  paper: "#f5eddd",
  pale: "#d8d7b6",
  mid: "#e2b04a",
  accent: "#c7523b",
  cool: "#79977a",
  ink: "#24382f",
};

export const dusk: Palette = {
  paper: "#f6e3d3",
  pale: "#e5b5a2",
  mid: "#efb558",
  accent: "#cb4630",
  cool: "#53708c",
  ink: "#242748",
};

export const shore: Palette = {
  paper: "#f1f0e3",
  pale: "#bdd4c8",
  mid: "#efc062",
  accent: "#e2593c",
  cool: "#2c7a84",
  ink: "#12333f",
};

export const earth: Palette = {
  paper: "#f6e9d4",
  pale: "#e7c290",
  mid: "#d88d33",
  accent: "#b6432c",
  cool: "#71866a",
  ink: "#39271f",
};

export const night: Palette = {
  paper: "#f3e6c8",
  pale: "#93a6b4",
  mid: "#efb64a",
  accent: "#df5f3b",
  cool: "#345079",
  ink: "#151d38",
};
