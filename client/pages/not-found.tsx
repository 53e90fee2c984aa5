import { Missing } from "../ui/missing.tsx";

export const NotFoundPage = () => <Missing />;
