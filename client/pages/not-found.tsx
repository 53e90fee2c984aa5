import { Missing } from "../ui/feedback/not-found.tsx";

export const NotFoundPage = () => <Missing />;
