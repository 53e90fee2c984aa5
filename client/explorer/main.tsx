import "graphiql/style.css";
import "./explorer.css";
import { createRoot } from "react-dom/client";
import { findPlace } from "./ask.ts";
import { Explorer } from "./explorer.tsx";
import { allowStyleSheets } from "./settings.ts";

allowStyleSheets();
const place = await findPlace();
const root = document.getElementById("explorer");
if (root) createRoot(root).render(<Explorer place={place} />);
