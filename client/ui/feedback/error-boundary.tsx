import { Component, useEffect, type ReactNode } from "react";
import { Button } from "../forms/button.tsx";
import "./notice.css";

type Props = { children: ReactNode };

/** Catches errors of a page, failed chunk loads included; the layout stays. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError = () => ({ failed: true });

  override render() {
    if (!this.state.failed) return this.props.children;
    return <Failure />;
  }
}

const reload = () => location.reload();

/** Tries again by itself when the browser is online: a page's code that was opened offline could not load. */
function Failure() {
  useEffect(() => {
    addEventListener("online", reload);
    return () => removeEventListener("online", reload);
  }, []);
  return (
    <div className="notice" role="alert">
      <p>This page could not be shown.</p>
      <Button type="button" variant="quiet" onClick={reload}>
        Try again
      </Button>
    </div>
  );
}
