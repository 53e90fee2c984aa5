import { messages } from "./messages.ts";

const exact: Record<string, string> = {
  [messages.usernameRequired]: "Please enter a username.",
  [messages.emailRequired]: "Please enter your email address.",
  [messages.passwordRequired]: "Please enter a password.",
  [messages.postTitleRequired]: "Please enter a title.",
  [messages.postCategoryRequired]: "Please select a category.",
  [messages.postDescriptionRequired]: "Please write the text of the post.",
  [messages.postImageRequired]: "Please choose a picture.",
  [messages.categoryTitleRequired]: "Please enter a title.",
  [messages.commentRequired]: "Please write something.",
  [messages.editedCommentRequired]: "Please write something.",
  "username already exist": "This name is taken, please choose another.",
  "no image provided": "Please choose a picture.",
  '"publishAt" must be in the future': "This time is past, please choose a later one.",
  "this post has been changed since the draft was begun":
    "The post was changed after the draft had been begun, please publish it yourself.",
  "category already exist": "There is already a category of this name.",
  "tag already exist": "There is already a tag of this name, with which this one can be merged.",
};

const patterns: [RegExp, string][] = [
  [/^"\w+" (is required|is not allowed to be empty)$/, "Please fill this in."],
  [/^"\w+" length must be at least (\d+) characters? long$/, "At least $1 characters, please."],
  [/^"\w+" length must be less than or equal to (\d+) characters? long$/, "At most $1 characters, please."],
  [/^"tags" length must be less than or equal to (\d+) characters long each$/, "At most $1 characters each."],
  [/^"tags" must not be more than (\d+)$/, "At most $1 tags, please."],
  [/^"\w+" must contain a letter or a digit$/, "Each needs a letter or a digit."],
  [/^"\w+" must be a valid email$/, "This is not an email address."],
  [/^"\w+" must be an existing category$/, "This category no longer exists, please select another."],
  [/^"password" is too common.*/, "This password is too common, please choose another."],
  [/^"password" must not be your username or email$/, "Please choose one that is not your name or address."],
  [/^"password" must not consist of blanks only$/, "Please use more than blanks."],
  [/^"currentPassword" is not your password$/, "This is not your password."],
  [/^"\w+" contains characters that cannot be seen or typed$/, "Some of these characters cannot be seen."],
  [/^"\w+" contains invalid characters$/, "Some of these characters cannot be stored."],
];

/** Plain words beside a field for a message whose exact text is fixed, which the toast shows. */
export function plainMessageOf(message: string): string {
  const [pattern, words = ""] = patterns.find(([each]) => each.test(message)) ?? [];
  return exact[message] ?? (pattern ? message.replace(pattern, words) : message);
}
