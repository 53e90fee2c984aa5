import { useMutation } from "@apollo/client/react";
import { useState } from "react";
import { messages } from "../../config/messages.ts";
import { CreateCategoryDocument } from "../../generated/forms/graphql.ts";
import { toast } from "../../lib/toast.ts";
import { textOf, useSubmit } from "../../lib/forms/use-submit.ts";
import { Button } from "../../ui/forms/button.tsx";
import { TextField } from "../../ui/forms/text-field.tsx";
import { maxLengths } from "../../config/limits.ts";

export function AddCategoryForm() {
  const [round, setRound] = useState(0);
  const [createCategory] = useMutation(CreateCategoryDocument, {
    update: (cache) => {
      for (const fieldName of ["categories", "categoriesCount", "dailyCounts"])
        cache.evict({ id: "ROOT_QUERY", fieldName });
    },
  });
  const { busy, errorOf, form } = useSubmit(
    { title: messages.categoryTitleRequired },
    async (values) => {
      await createCategory({ variables: { title: textOf(values, "title") } });
      setRound(round + 1);
      toast.success("category created successfully");
    },
    { unique: "title" },
  );
  return (
    <section aria-labelledby="add-category">
      <h2 id="add-category">Add New Category</h2>
      <form className="form" {...form}>
        <TextField
          label="Category Title"
          name="title"
          key={round}
          limit={maxLengths.category}
          error={errorOf("title")}
        />
        <div>
          <Button busy={busy}>Add</Button>
        </div>
      </form>
    </section>
  );
}
