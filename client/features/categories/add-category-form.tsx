import { useMutation } from "@apollo/client/react";
import { useState } from "react";
import { messages } from "../../config/messages.ts";
import { CreateCategoryDocument } from "../../generated/graphql.ts";
import { toast } from "../../lib/toast.ts";
import { textOf, useSubmit } from "../../lib/forms/use-submit.ts";
import { Button } from "../../ui/forms/button.tsx";
import { TextField } from "../../ui/forms/text-field.tsx";

export function AddCategoryForm() {
  const [title, setTitle] = useState("");
  const [createCategory] = useMutation(CreateCategoryDocument, {
    update: (cache) => {
      for (const fieldName of ["categories", "categoriesCount", "dailyCounts"])
        cache.evict({ id: "ROOT_QUERY", fieldName });
    },
  });
  const { busy, errorOf, form } = useSubmit({ title: messages.categoryTitleRequired }, async (values) => {
    await createCategory({ variables: { title: textOf(values, "title") } });
    setTitle("");
    toast.success("category created successfully");
  });
  return (
    <section aria-labelledby="add-category">
      <h2 id="add-category">Add New Category</h2>
      <form className="form" {...form}>
        <TextField
          label="Category Title"
          name="title"
          maxLength={100}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
          error={errorOf("title")}
        />
        <div>
          <Button busy={busy}>Add</Button>
        </div>
      </form>
    </section>
  );
}
