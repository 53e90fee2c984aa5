import "graphiql/style.css";
import "./explorer.css";
import { createRoot } from "react-dom/client";
import { findPlaceholders } from "./send-operation.ts";
import { Explorer } from "./explorer.tsx";
import { exposeStyleNonce } from "./settings.ts";

exposeStyleNonce();
const placeholders = await findPlaceholders();
const root = document.getElementById("explorer");
if (root) createRoot(root).render(<Explorer placeholders={placeholders} />);
