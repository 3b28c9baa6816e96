"""The vectors of a corpus in Milvus, a distributed engine for vectors, in place of files.

    server.py         a connection, and what its failures mean
    schema.py         the fields of a collection, the records that fill them, and a predicate as a filter for the server
    collection.py     writes the vectors of one version of a corpus, and removes those that no version needs
    vectors.py        finds papers and passages by their vectors, as `index.ports` requires, and papers by their words,
                      with the server's own BM25 where it has one; the engine that `index.engines` finds

Every version of a corpus has its own collections of papers, titles and passages, which never change; files of the
corpus name the collections. The extra `pathfinder[milvus]` installs the client.
"""
