/** An error that concerns no field; for dialogs, which cover toasts. */
export const FormFailure = ({ message }: { message: string | null }) =>
  message && (
    <p className="form-failure" role="alert">
      {message}
    </p>
  );
