/** What a form was refused for that stands beside no field; in dialogs, which cover toasts. */
export const FormFailure = ({ message }: { message: string | null }) =>
  message && (
    <p className="form-failure" role="alert">
      {message}
    </p>
  );
