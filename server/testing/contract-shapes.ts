export const unknownId = "00000000-0000-0000-0000-000000000000";
export const authorKeys = "_id id username profilePhoto";
export const userKeys = `${authorKeys} email bio isAdmin isAccountVerified createdAt updatedAt`;
export const postKeys = "_id id title description category tags image user likes createdAt updatedAt";
export const commentKeys = "_id id postId user username text createdAt updatedAt";
export const categoryKeys = "_id id title user createdAt updatedAt";
