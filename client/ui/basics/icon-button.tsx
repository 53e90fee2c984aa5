import type { ButtonHTMLAttributes } from "react";
import "./icon-button.css";

type Props = ButtonHTMLAttributes<HTMLButtonElement> & { label: string };

export const IconButton = ({ label, ...rest }: Props) => (
  <button type="button" className="icon-button" aria-label={label} title={label} {...rest} />
);
