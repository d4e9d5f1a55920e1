// The translation unit that owns the precompiled header shared by all LibTorch users.
