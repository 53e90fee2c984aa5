import { NotFound } from "../ui/feedback/not-found.tsx";

export const NotFoundPage = () => <NotFound />;
